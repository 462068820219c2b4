// What Bun is made of, and under which licences: by its own lists, with its sources and in its documentation.

/** One part that is linked into Bun's executable. */
export interface BunPart {
  readonly name: string;
  /** What `process.versions` calls it, if it says which version or commit it is. */
  readonly version?: string;
  readonly from: string;
  /** An SPDX expression. */
  readonly license: string;
}

export const BUN: BunPart = {
  name: 'Bun',
  version: 'bun',
  from: 'https://github.com/oven-sh/bun',
  license: 'MIT',
};

/** Under the LGPL, so that it must be possible to put another build of them into the executable. */
export const RELINKABLE: readonly BunPart[] = [
  {
    name: 'JavaScriptCore',
    version: 'webkit',
    from: 'https://github.com/oven-sh/WebKit',
    license: 'LGPL-2.0-or-later',
  },
  {
    name: 'WebCore',
    version: 'webkit',
    from: 'https://github.com/oven-sh/WebKit',
    license: 'LGPL-2.0-or-later',
  },
  {
    name: 'TinyCC',
    version: 'tinycc',
    from: 'https://github.com/tinycc/tinycc',
    license: 'LGPL-2.1-or-later',
  },
];

export const LINKED: readonly BunPart[] = [
  {
    name: 'BoringSSL',
    version: 'boringssl',
    from: 'https://boringssl.googlesource.com/boringssl',
    license: 'Apache-2.0 AND ISC AND OpenSSL',
  },
  { name: 'brotli', from: 'https://github.com/google/brotli', license: 'MIT' },
  {
    name: 'libarchive',
    version: 'libarchive',
    from: 'https://github.com/libarchive/libarchive',
    license: 'BSD-2-Clause',
  },
  {
    name: 'lol-html',
    version: 'lolhtml',
    from: 'https://github.com/cloudflare/lol-html',
    license: 'BSD-3-Clause',
  },
  {
    name: 'ls-hpack',
    version: 'lshpack',
    from: 'https://github.com/litespeedtech/ls-hpack',
    license: 'MIT AND BSD-2-Clause',
  },
  { name: 'ls-qpack', from: 'https://github.com/litespeedtech/ls-qpack', license: 'MIT' },
  { name: 'lsquic', from: 'https://github.com/litespeedtech/lsquic', license: 'MIT AND BSD-3-Clause' },
  { name: 'mimalloc', version: 'mimalloc', from: 'https://github.com/microsoft/mimalloc', license: 'MIT' },
  {
    name: 'picohttpparser',
    version: 'picohttpparser',
    from: 'https://github.com/h2o/picohttpparser',
    license: 'MIT',
  },
  { name: 'zstd', version: 'zstd', from: 'https://github.com/facebook/zstd', license: 'BSD-3-Clause' },
  { name: 'simdutf', from: 'https://github.com/simdutf/simdutf', license: 'Apache-2.0' },
  {
    name: 'uSockets',
    version: 'usockets',
    from: 'https://github.com/uNetworking/uSockets',
    license: 'Apache-2.0',
  },
  {
    name: 'uWebSockets',
    version: 'uwebsockets',
    from: 'https://github.com/jarred-sumner/uwebsockets',
    license: 'Apache-2.0',
  },
  { name: 'zlib-ng', version: 'zlib', from: 'https://github.com/zlib-ng/zlib-ng', license: 'Zlib' },
  { name: 'c-ares', version: 'ares', from: 'https://github.com/c-ares/c-ares', license: 'MIT' },
  { name: 'ICU', version: 'icu', from: 'https://github.com/unicode-org/icu', license: 'Unicode-3.0' },
  { name: 'base64', from: 'https://github.com/aklomp/base64', license: 'BSD-2-Clause' },
  { name: 'libuv (on Windows)', from: 'https://github.com/libuv/libuv', license: 'MIT' },
  {
    name: 'libdeflate',
    version: 'libdeflate',
    from: 'https://github.com/ebiggers/libdeflate',
    license: 'MIT',
  },
  {
    name: 'libjpeg-turbo',
    from: 'https://github.com/libjpeg-turbo/libjpeg-turbo',
    license: 'BSD-3-Clause AND IJG AND Zlib',
  },
  { name: 'libspng', from: 'https://github.com/randy408/libspng', license: 'BSD-2-Clause AND libpng-2.0' },
  { name: 'libwebp', from: 'https://github.com/webmproject/libwebp', license: 'BSD-3-Clause' },
  { name: 'highway', from: 'https://github.com/google/highway', license: 'Apache-2.0' },
  { name: 'HdrHistogram_c', from: 'https://github.com/HdrHistogram/HdrHistogram_c', license: 'BSD-2-Clause' },
  { name: 'SQLite', version: 'sqlite', from: 'https://sqlite.org', license: 'blessing' },
  { name: 'uucode', from: 'https://github.com/jacobsandlund/uucode', license: 'MIT' },
  {
    name: "parts of TigerBeetle's input and output",
    from: 'https://github.com/tigerbeetle/tigerbeetle',
    license: 'Apache-2.0',
  },
  {
    name: 'a fallback from libc++abi',
    from: 'https://github.com/llvm/llvm-project',
    license: 'Apache-2.0 WITH LLVM-exception',
  },
];

/** Packages of npm's under MIT that Bun brings as stand-ins for parts of Node.js. */
export const POLYFILLS: readonly string[] =
  `acorn acorn-walk assert browserify-zlib buffer constants-browserify crypto-browserify domain-browser events
  https-browserify os-browserify path-browserify process punycode querystring-es3 stream-browserify stream-http
  string_decoder timers-browserify tty-browserify url util vm-browserify`.split(/\s+/);
