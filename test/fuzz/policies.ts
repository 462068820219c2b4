// Random policies and a connection for each input: what is decided is what the reference decides.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { parseIdentity } from '../../src/model/certificates/identity.ts';
import { parseAddress } from '../../src/model/policies/addresses.ts';
import { createPolicyIndex } from '../../src/model/policies/evaluate.ts';
import { explainPolicies } from '../../src/model/policies/explain.ts';
import { callerOf } from '../../src/model/policies/rules.ts';
import { connections, policies as manyPolicies, workloads } from '../model/policies/arbitraries.ts';
import { letsIn } from '../model/policies/reference.ts';
import type { Target } from './target.ts';

const asked = fc.tuple(manyPolicies, workloads, connections);

export const policies: Target = {
  name: 'policies',
  seeds: [Buffer.from('policies and a connection')],
  pieces: [Buffer.from('another'), Buffer.from('one')],
  read: (input) => {
    const seed = createHash('sha256').update(input).digest().readInt32BE();
    const [[held, workload, connection] = []] = fc.sample(asked, { seed, numRuns: 1 });
    if (held === undefined || workload === undefined || connection === undefined) return;
    const { identity, source, destination, port } = connection;
    const parsed = identity === undefined ? undefined : parseIdentity(identity);
    const applying = createPolicyIndex(held).applyingTo({
      namespace: workload.namespace,
      authorizationPolicies: workload.policies,
    });
    const { decision, decisive } = explainPolicies(applying, {
      caller: parsed && callerOf(parsed),
      source: parseAddress(source),
      destination: parseAddress(destination),
      port,
    });
    const expected = letsIn(held, workload, connection);
    if (decision.allowed === expected && decisive?.matches !== false) return;
    throw new Error(`decided ${decision.allowed}, not ${expected}: ${JSON.stringify({ held, connection })}`);
  },
};
