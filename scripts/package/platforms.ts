// For which platforms there are archives, and which of npm's Bun packages each one's runtime is.

/** The release of Bun that is inside; npm has one package for each platform. */
export const BUN_VERSION = '1.4.5';

export interface Platform {
  /** As in an archive's name: `linux-amd64`, `linux-amd64-musl`. */
  readonly name: string;
  /** Go's words, which are krew's. */
  readonly os: 'linux' | 'darwin' | 'windows';
  readonly arch: 'amd64' | 'arm64';
  /** Of Linux; glibc's is the one that krew installs. */
  readonly libc?: 'glibc' | 'musl';
  readonly format: 'tar.gz' | 'zip';
  /** The executable's name in the archive. */
  readonly program: string;
  /** Bun's word for it, which is in the package's name, too. */
  readonly target: string;
  /** Of npm's package, as in a lock file: another content is refused. */
  readonly integrity: string;
}

const unix = { format: 'tar.gz', program: 'kubectl-ztunnel' } as const;
const windows = { format: 'zip', program: 'kubectl-ztunnel.exe' } as const;

export const PLATFORMS: readonly Platform[] = [
  {
    ...unix,
    name: 'linux-amd64',
    os: 'linux',
    arch: 'amd64',
    libc: 'glibc',
    target: 'linux-x64',
    integrity:
      'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
  },
  {
    ...unix,
    name: 'linux-arm64',
    os: 'linux',
    arch: 'arm64',
    libc: 'glibc',
    target: 'linux-aarch64',
    integrity:
      'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
  },
  {
    ...unix,
    name: 'linux-amd64-musl',
    os: 'linux',
    arch: 'amd64',
    libc: 'musl',
    target: 'linux-x64-musl',
    integrity:
      'sha512-10QoW/YfTgnURaGEaHpJCiXjLI2e5iTtfVDaA5JKcyUzaa1cq6cVUY9/Uq5XkYzvtRjHLRe9Oj/lTDIQcxy8HQ==',
  },
  {
    ...unix,
    name: 'linux-arm64-musl',
    os: 'linux',
    arch: 'arm64',
    libc: 'musl',
    target: 'linux-aarch64-musl',
    integrity:
      'sha512-XCNc+WvvMAdNNb+OWTogpy+N9wm62fkVeEVLb6how0RZhW5LPi6c7BlkeVCuWps7XjEl2saFpHFa20/1E+PAHg==',
  },
  {
    ...unix,
    name: 'darwin-amd64',
    os: 'darwin',
    arch: 'amd64',
    target: 'darwin-x64',
    integrity:
      'sha512-qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
  },
  {
    ...unix,
    name: 'darwin-arm64',
    os: 'darwin',
    arch: 'arm64',
    target: 'darwin-aarch64',
    integrity:
      'sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
  },
  {
    ...windows,
    name: 'windows-amd64',
    os: 'windows',
    arch: 'amd64',
    target: 'windows-x64',
    integrity:
      'sha512-FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==',
  },
  {
    ...windows,
    name: 'windows-arm64',
    os: 'windows',
    arch: 'arm64',
    target: 'windows-aarch64',
    integrity:
      'sha512-MiPFZnBNDnBXgr1oONc5pizC4fOLjnIOfNkYdFEnWzLmoFTg86naZIG3SvS7d/GglpQSAnCKMAzSjI/TAckiRw==',
  },
];

const OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCH: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The platform that this process runs on; undefined if there is no archive for it. */
export function platformOf({ platform, arch }: { platform: string; arch: string }): Platform | undefined {
  const libc = platform === 'linux' && !isGlibc() ? 'musl' : undefined;
  return PLATFORMS.find(
    (each) =>
      each.os === OS[platform] && each.arch === ARCH[arch] && (libc === undefined || each.libc === libc),
  );
}

/** Node.js names the glibc that it runs on. */
function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

/** `kubectl-ztunnel-linux-amd64.tar.gz` */
export function archiveName({ name, format }: Platform): string {
  return `kubectl-ztunnel-${name}.${format}`;
}
