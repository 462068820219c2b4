// Whether a workload's traffic goes through a ztunnel, by what that ztunnel itself has.

import type { CapturedPod, Workload } from '../dump.ts';
import { describeWorkload } from '../uid.ts';
import type { ReachView } from './view.ts';
import type { ReachWorld } from './world.ts';

export type Enrolment =
  /** `workload`: as its own ztunnel has it. `pod`: undefined in dumps that do not say what is captured. */
  | {
      readonly state: 'captured';
      readonly view: ReachView;
      readonly workload: Workload;
      readonly pod: CapturedPod | undefined;
    }
  /** Its traffic is plain, and passes no ztunnel of its own. */
  | { readonly state: 'notCaptured' }
  /** It shares its node's network, and passes no ztunnel either. */
  | { readonly state: 'hostNetwork' }
  /** It has a proxy of its own, which no dump shows: a waypoint, gateway, sidecar or machine outside of the cluster. */
  | { readonly state: 'ownProxy' }
  /** Redirected, and never handed to ztunnel: all of its connections fail. */
  | { readonly state: 'notEnrolled'; readonly view: ReachView }
  /** Its proxy could not be started. */
  | { readonly state: 'pending'; readonly view: ReachView; readonly said: string }
  /** ztunnel has no workload of the name, namespace and account that it was handed. */
  | {
      readonly state: 'otherwise';
      readonly view: ReachView;
      /** The account that ztunnel was handed. */
      readonly handed: string;
      /** That of the workload of its name; undefined where there is none. */
      readonly known: string | undefined;
    }
  | { readonly state: 'unknown'; readonly why: string };

export function enrolmentOf(world: ReachWorld, workload: Workload): Enrolment {
  if (workload.networkMode === 'HostNetwork') return { state: 'hostNetwork' };
  const speaksHbone = workload.protocol === 'HBONE';
  const { kind } = describeWorkload(workload);
  if (workload.nativeTunnel || (kind !== 'Pod' && speaksHbone)) return { state: 'ownProxy' };
  if (kind !== 'Pod') return { state: 'notCaptured' };
  const view = world.viewOf(workload);
  if (view === undefined) return { state: 'unknown', why: world.whySilent(workload.node) };
  if (!view.isConfigured) {
    return { state: 'unknown', why: `ztunnel ${view.ref.name} has never had its configuration` };
  }
  return judgePod(view, workload);
}

function judgePod(view: ReachView, workload: Workload): Enrolment {
  const { namespace, name } = workload;
  // ztunnel takes them for its own by node, namespace, name and account.
  const own = view.workloadByUid(workload.uid) ?? view.workloadByName(namespace, name);
  const pod = view.podOf(namespace, name);
  if (pod === undefined) {
    if ((own ?? workload).protocol !== 'HBONE') return { state: 'notCaptured' };
    if (!saysWhatIsCaptured(view)) return { state: 'captured', view, workload: own ?? workload, pod };
    if (view.dump.config.proxyMode === 'Dedicated') {
      return { state: 'unknown', why: `ztunnel ${view.ref.name} serves one pod of its own` };
    }
    return { state: 'notEnrolled', view };
  }
  if (pod.state !== '' && pod.state !== 'Up') return { state: 'pending', view, said: pod.state };
  const handed = pod.serviceAccount;
  if (own === undefined) return { state: 'otherwise', view, handed: handed ?? '', known: undefined };
  if (handed !== undefined && handed !== own.serviceAccount) {
    return { state: 'otherwise', view, handed, known: own.serviceAccount };
  }
  return { state: 'captured', view, workload: own, pod };
}

/** Before 1.22 dumps have no `workloadState`, and until 1.23 its entries may say nothing but a pod's UID. */
function saysWhatIsCaptured({ dump, knows }: ReachView): boolean {
  return knows('workloadState') && dump.capturedPods.every(({ name }) => name !== undefined);
}
