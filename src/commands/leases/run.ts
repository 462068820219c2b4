// How `leases` asks, relates and reports.

import { UserError } from '../../base/errors.ts';
import { type Collected, collectDumps } from '../../mesh/collect.ts';
import { type ListedInventory, listInventory, noInventory } from '../../mesh/lists.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findScope } from '../../mesh/scope/scope.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { Lease } from '../../model/kubernetes.ts';
import { joinLeases } from '../../model/leases/leaseitems.ts';
import { NODE_LEASE_NAMESPACE } from '../../model/leases/leases.ts';
import type { Reference } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { Cluster } from '../../sources/cluster.ts';
import { sortItems } from '../reports/columns.ts';
import type { CommandContext } from '../spec/command.ts';
import { leaseColumns } from './columns.ts';
import type { Options } from './command.ts';
import { leaseReport } from './report.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const { cluster, lists, signal } = mesh;
  if (!cluster.canList('leases')) {
    throw new UserError(
      'the files hold no Leases',
      'Add --resources with what kubectl get leases -A -o yaml prints.',
    );
  }
  const [all, inventory, collected] = await Promise.all([
    lists.list('leases', { namespace: options.namespace, signal }),
    options.noOwners ? noInventory : listInventory(mesh, options.namespace, ['pods', 'replicasets']),
    options.output === 'wide' ? collectCertificates(options, mesh) : undefined,
  ]);
  const reference = await mesh.reference();
  const asOfRenewal = cluster.source === 'files' && options.now === undefined;
  const items = joinLeases({
    leases: all.filter((lease) => isWanted(lease, options)),
    nodes: all.filter(isOfNode).map(({ metadata }) => metadata.name),
    inventory,
    certificates: judge(collected, inventory, reference, options, cluster),
    reference: reference.time,
    asOfRenewal,
  });
  const sorted = sortItems(leaseColumns, items, options.sortBy);
  yield leaseReport({ items: sorted, collected, inventory, reference, asOfRenewal });
}

/** Naming their namespace asks for them as well. */
function isWanted({ metadata }: Lease, { nodes, namespace }: Options): boolean {
  return nodes || namespace !== undefined || !isOfNode({ metadata });
}

function isOfNode({ metadata }: Pick<Lease, 'metadata'>): boolean {
  return metadata.namespace === NODE_LEASE_NAMESPACE;
}

async function collectCertificates(options: Options, mesh: Mesh): Promise<Collected> {
  const wanted = { sections: new Set(['certificates', 'config'] as const), keepRaw: false };
  return collectDumps(await findScope(options, mesh), wanted, options, mesh);
}

function judge(
  collected: Collected | undefined,
  inventory: ListedInventory,
  reference: Reference,
  { warnWithin: within, noOwners }: Options,
  { source }: Cluster,
): readonly CertificateItem[] {
  if (collected === undefined) return [];
  const base = { ...collected, inventory, reference: reference.time, source };
  return joinCertificates({ ...base, warnWithin: within, evaluateMissing: !noOwners }).items;
}
