// What `check` says of ztunnels that have not had, or no longer get, what istiod has to say.

import { formatDuration } from '../../base/duration.ts';
import { compareBy, compareText } from '../../base/order.ts';
import { isLongGone } from '../capture/earlier.ts';
import { type Heard, nameOfPod, startOf } from '../capture/heard.ts';
import { oldestAge } from '../capture/picture.ts';
import type { Pod } from '../kubernetes.ts';
import type { Answer } from '../types.ts';
import { refOf } from '../ztunnels/ztunnels.ts';
import { type Concerned, type Finder, found, notEvaluated } from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** Workloads of pods that have run for long are missing, or those of pods that are gone are still there. */
export const staleConfig: Finder = (situation) => {
  const { answers, deep, inventory, whole } = situation;
  const why = whyUnknown('pods', inventory.pods);
  if (why !== undefined) return notEvaluated(why);
  const { heard, empty } = situation.capture();
  const bare = new Set(empty);
  const objects = heard
    .filter(({ answer }) => !bare.has(answer))
    .flatMap((each) => concernStale(each, situation) ?? []);
  if (whole.length === answers.length && whole.length > 0) return found(objects);
  return notEvaluated(
    deep || whole.length === 0
      ? `${whole.length} of ${answers.length} ztunnels have workloads that could be read`
      : `${whole.length} of ${answers.length} ztunnels; --deep reads all`,
    objects,
  );
};

/** What a ztunnel lacks; undefined where it lacks nothing that istiod tells others of. */
function concernStale(heard: Heard, situation: Situation): Concerned | undefined {
  const { untold } = situation.capture();
  const { answer, outdated, newest } = heard;
  const missing = heard.missing.filter((pod) => !untold.has(pod));
  const lacking = [...missing, ...outdated];
  const gone = heard.gone.filter((workload) =>
    isLongGone(answer, workload, situation.earlier, situation.reference),
  );
  if (lacking.length === 0 && gone.length === 0) return undefined;
  const isLate = lacking.some((pod) => startOf(pod) > newest);
  const parts = [
    ...(missing.length === 0 ? [] : [`lacks ${describePods(missing, situation)}`]),
    ...(outdated.length === 0 ? [] : [`has old addresses of ${describePods(outdated, situation)}`]),
    ...(gone.length === 0
      ? []
      : [`still has ${count(gone.length)} that ${gone.length === 1 ? 'is' : 'are'} gone`]),
    ...(lacking.length === 0 || isLate || newest === Number.NEGATIVE_INFINITY
      ? []
      : ['though it knows pods that started later']),
  ];
  const concerned = { ...concernZtunnel(answer, situation), detail: parts.join('; ') };
  return lacking.length === 0 ? concerned : { ...concerned, hits: situation.ownersOf(lacking) };
}

const NAMES_SHOWN = 3;

/** `2 pods, the oldest of which started 2h0m ago (shop/web-2, shop/web-3)`. */
function describePods(pods: readonly Pod[], { reference }: Situation): string {
  const sorted = pods.toSorted(comparePods);
  const names = sorted.slice(0, NAMES_SHOWN).map(nameOfPod).join(', ');
  const more = pods.length > NAMES_SHOWN ? ` and ${pods.length - NAMES_SHOWN} more` : '';
  const age = formatDuration(oldestAge(pods, reference));
  const which = pods.length === 1 ? 'which' : 'the oldest of which';
  return `${count(pods.length)}, ${which} started ${age} ago (${names}${more})`;
}

function count(number: number): string {
  return `${number} ${number === 1 ? 'pod' : 'pods'}`;
}

const comparePods = compareBy<Pod>((a, b) => compareText(nameOfPod(a), nameOfPod(b)));

/** Neither workloads nor certificates, on a node with captured pods. */
export const ztunnelEmpty: Finder = (situation) => {
  const why = whyUnknown('pods', situation.inventory.pods);
  if (why !== undefined) return notEvaluated(why);
  return found(situation.capture().empty.map((answer) => concernZtunnel(answer, situation)));
};

/** It signs for itself. */
export const fakeCa: Finder = (situation) =>
  found(
    situation.answers
      .filter(({ dump }) => dump.config.fakeCa)
      .map((answer) => concernZtunnel(answer, situation)),
  );

function concernZtunnel(answer: Answer, situation: Situation): Concerned {
  const ref = refOf(answer);
  return { kind: 'Ztunnel', ...ref, ztunnel: ref, detail: null, hits: situation.hitsOn(ref.node) };
}
