// How kubectl itself completes `kubectl ztunnel`, in every shell that it completes.

/** An executable of this name on the PATH is what kubectl ≥ 1.26 asks; it speaks the same protocol. */
export const kubectl = `#!/bin/sh
# Lets kubectl 1.26 and later complete "kubectl ztunnel". Save it as kubectl_complete-ztunnel
# in a directory of your PATH, and make it executable.
exec kubectl-ztunnel __complete "$@"
`;
