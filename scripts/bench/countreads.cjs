// How many bytes a process reads from the network: loaded before the program, it writes the sum to a file at the end.

const { writeFileSync } = require('node:fs');
const { Socket } = require('node:net');

const sockets = new Set();
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  sockets.add(this);
  return connect.apply(this, args);
};
process.on('exit', () => {
  const bytes = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  writeFileSync(process.env.COUNT_READS, String(bytes));
});
