// Who reaches what, of many sources and targets: those that are treated alike are followed once.

import type { Workload } from '../dump.ts';
import { type ClassedSource, createClasses } from './classes.ts';
import { keyOfFact } from './facttexts.ts';
import { type ReachSummary, summarizeRoutes } from './fold.ts';
import type { Target } from './outbound.ts';
import { traceRoutes } from './route.ts';
import type { ReachWorld } from './world.ts';

/** What the ways from a source to a target come to. */
export interface ReachCell extends ReachSummary {
  /** The step that decides, and why, apart from who is concerned; '' where all is reached. */
  readonly why: string;
}

/** Sources that reach the same of all the targets, for the same reasons. */
export interface ReachRow {
  readonly sources: readonly Workload[];
  /** One for each of the targets, in their order. */
  readonly cells: readonly ReachCell[];
}

export interface ReachMatrix {
  readonly cellOf: (source: Workload, target: Target) => ReachCell;
  /** In the order in which sources of each row come first. */
  readonly rowsOf: (sources: readonly Workload[], targets: readonly Target[]) => readonly ReachRow[];
}

/** Every cell is that of traceRoutes for a pair that is treated alike. */
export function createMatrix(world: ReachWorld): ReachMatrix {
  const classes = createClasses(world);
  const cells = new Map<string, ReachCell>();

  function cellAt(source: ClassedSource, target: Target, targetClass: number): ReachCell {
    const key = `${source.client} ${targetClass}`;
    const known = cells.get(key);
    if (known !== undefined) return known;
    const made = follow(world, source.workload, target);
    cells.set(key, made);
    return made;
  }

  return {
    cellOf: (workload, target) => {
      const source = classes.classifySource(workload);
      return cellAt(source, target, classes.classifyTarget(source, target));
    },
    rowsOf: (workloads, targets) => {
      const sources = workloads.map(classes.classifySource);
      // Ztunnels of one mesh mostly take a target to the same endpoints.
      const columns = new Map<string, readonly number[]>();
      const columnsOf = (source: ClassedSource): readonly number[] => {
        const known =
          columns.get(source.place) ?? targets.map((target) => classes.classifyTarget(source, target));
        columns.set(source.place, known);
        return known;
      };
      const texts = new Map<readonly number[], string>();
      const textOf = (numbers: readonly number[]): string => {
        const known = texts.get(numbers) ?? numbers.join();
        texts.set(numbers, known);
        return known;
      };
      const rows = Map.groupBy(sources, (source) => `${source.client} ${textOf(columnsOf(source))}`);
      return Array.from(rows.values(), (members) => {
        const [first] = members;
        const numbers = columnsOf(first!);
        return {
          sources: members.map(({ workload }) => workload),
          cells: targets.map((target, index) => cellAt(first!, target, numbers[index]!)),
        };
      });
    },
  };
}

function follow(world: ReachWorld, workload: Workload, target: Target): ReachCell {
  const routes = traceRoutes(world, { kind: 'workload', workload }, target);
  const summary = summarizeRoutes(routes);
  const worst = routes.find(({ outcome }) => outcome === summary.outcome)?.decisive;
  return { ...summary, why: worst === undefined ? '' : `${worst.step} ${keyOfFact(worst.fact)}` };
}
