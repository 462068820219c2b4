// Which commands are measured on files, against which of istioctl's, and the share of its time and memory to reach.

/** The dumps, by size. */
export interface Dumps {
  readonly small: string;
  readonly medium: string;
  readonly large: string;
}

export interface Case {
  readonly name: string;
  readonly args: (dumps: Dumps) => readonly string[];
  readonly stdin?: (dumps: Dumps) => string;
  /** What istioctl does instead. */
  readonly istioctl: (dumps: Dumps) => readonly string[];
  readonly reach: { readonly time: number; readonly memory?: number };
}

const CONFIG = 'ztunnel-config';
const certificates = (file: (dumps: Dumps) => string) => (dumps: Dumps) =>
  [CONFIG, 'certificates', '-f', file(dumps)] as const;
const workloads = (file: (dumps: Dumps) => string) => (dumps: Dumps) =>
  [CONFIG, 'workloads', '-f', file(dumps)] as const;
const large = ({ large }: Dumps) => large;
const small = ({ small }: Dumps) => small;

const START = { time: 0.25 };
const SECTION = { time: 0.1, memory: 0.3 };

export const CASES: readonly Case[] = [
  {
    name: '`version`',
    args: () => ['version'],
    istioctl: () => ['version', '--remote=false'],
    reach: START,
  },
  {
    // What a shell's Tab costs, without a cluster: at most 20 ms.
    name: '`__complete certs --out`',
    args: () => ['__complete', 'certs', '--out'],
    istioctl: () => ['__complete', CONFIG, 'certificates', '--out'],
    reach: START,
  },
  { name: '`--help`', args: () => ['--help'], istioctl: () => [CONFIG, '--help'], reach: START },
  {
    name: '`certs`, 39 KB',
    args: ({ small }) => ['certs', '-f', small],
    istioctl: certificates(small),
    reach: { time: 0.5 },
  },
  {
    name: '`certs -o short`, 70 MB',
    args: ({ large }) => ['certs', '-o', 'short', '-f', large],
    istioctl: certificates(large),
    reach: SECTION,
  },
  {
    name: '`certs -o name`, 70 MB',
    args: ({ large }) => ['certs', '-o', 'name', '-f', large],
    istioctl: certificates(large),
    reach: SECTION,
  },
  {
    name: '`certs --no-owners`, 70 MB',
    args: ({ large }) => ['certs', '--no-owners', '-f', large],
    istioctl: certificates(large),
    reach: SECTION,
  },
  {
    name: '`certs -o short -f -`, 70 MB',
    args: () => ['certs', '-o', 'short', '-f', '-'],
    stdin: large,
    istioctl: certificates(large),
    reach: SECTION,
  },
  {
    name: '`certs`, 70 MB',
    args: ({ large }) => ['certs', '-f', large],
    istioctl: certificates(large),
    reach: { time: 0.5, memory: 1 },
  },
  {
    name: '`workloads`, 70 MB',
    args: ({ large }) => ['workloads', '-f', large],
    istioctl: workloads(large),
    reach: { time: 0.35, memory: 1 },
  },
];
