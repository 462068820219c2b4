// What policies can tell of those who connect and of where to: which of all the values that they compare fit.

import type { Workload } from '../dump.ts';
import { type Address, holdsAddress, parseAddress } from '../policies/addresses.ts';
import { type Caller, fitsText, KINDS, type Kind, type Value } from '../policies/rules.ts';
import { addressFor } from './inbound.ts';
import type { ReachWorld } from './world.ts';

/** Equal texts: no policy of any ztunnel tells the two apart. */
export interface Signatures {
  readonly ofCaller: (caller: Caller) => string;
  /** By its address of each family. */
  readonly ofSource: (workload: Workload) => string;
  readonly ofDestination: (address: Address) => string;
}

export function createSignatures(world: ReachWorld): Signatures {
  const values = collectValues(world);
  const callers = new Map<string, string>();
  const fitting = (kind: Kind, fits: (value: Value) => boolean): string =>
    values[kind].flatMap((value, index) => (fits(value) ? [index] : [])).join();
  const ofAddress = (kind: Kind, address: Address): string =>
    fitting(kind, (value) => value.type === 'range' && holdsAddress(value.range, address));
  return {
    ofCaller: ({ principal, namespace, serviceAccount }) => {
      const known = callers.get(principal);
      if (known !== undefined) return known;
      const made = [
        fitting('principals', (value) => fitsText(value, principal)),
        fitting('namespaces', (value) => fitsText(value, namespace)),
        fitting(
          'serviceAccounts',
          (value) =>
            value.type === 'account' &&
            value.namespace === namespace &&
            value.serviceAccount === serviceAccount,
        ),
      ].join('/');
      callers.set(principal, made);
      return made;
    },
    ofSource: (workload) =>
      FAMILIES.map((family) => {
        const address = addressFor(workload, family);
        return address === undefined ? '-' : ofAddress('sourceIps', address);
      }).join('/'),
    ofDestination: (address) => `${address.bytes.length} ${ofAddress('destinationIps', address)}`,
  };
}

const FAMILIES = ['0.0.0.0', '::'].map((text) => parseAddress(text)!);

/** The distinct values of all policies of all ztunnels. */
function collectValues({ views }: ReachWorld): Readonly<Record<Kind, readonly Value[]>> {
  const conditions = views.flatMap(({ policies }) =>
    policies.policies.flatMap(({ rules }) => (rules ?? []).flat(2).flatMap((match) => match.conditions)),
  );
  const of = (kind: Kind): readonly Value[] => {
    const values = conditions.filter((condition) => condition.kind === kind).flatMap((each) => each.values);
    return [...new Map(values.map((value) => [`${value.type} ${value.text}`, value])).values()];
  };
  const kinds = Object.keys(KINDS) as Kind[];
  return Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as unknown as Readonly<
    Record<Kind, readonly Value[]>
  >;
}
