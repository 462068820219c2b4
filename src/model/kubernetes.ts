// What the program reads of Kubernetes objects, and of Istio's.

// The shapes are those of the API server's JSON, cut to the fields that proto/ holds.
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** RFC 3339, whole seconds. */
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly image?: string;
}

export interface Pod extends KubeObject {
  readonly kind: 'Pod';
  readonly spec?: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly hostNetwork?: boolean;
  };
  readonly status?: {
    readonly phase?: string;
    readonly startTime?: string;
    readonly podIPs?: readonly { readonly ip?: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

export interface StatefulSet extends KubeObject {
  readonly kind: 'StatefulSet';
  readonly spec?: { readonly replicas?: number; readonly ordinals?: { readonly start?: number } };
  readonly status?: { readonly replicas?: number; readonly readyReplicas?: number };
}

export interface Lease extends KubeObject {
  readonly kind: 'Lease';
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** RFC 3339 with six decimals. */
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
    readonly strategy?: string;
    readonly preferredHolder?: string;
  };
}

/** What a client does to reach a host: `mode` DISABLE (if absent), SIMPLE, MUTUAL or ISTIO_MUTUAL. */
export interface ClientTls {
  readonly mode?: string;
  readonly subjectAltNames?: readonly string[];
}

export interface TrafficPolicy {
  readonly tls?: ClientTls;
  /** Each replaces all of the policy for its port. */
  readonly portLevelSettings?: readonly {
    readonly port?: { readonly number?: number };
    readonly tls?: ClientTls;
  }[];
}

export interface ServiceEntry extends KubeObject {
  readonly kind: 'ServiceEntry';
  readonly spec?: { readonly hosts?: readonly string[]; readonly subjectAltNames?: readonly string[] };
}

export interface DestinationRule extends KubeObject {
  readonly kind: 'DestinationRule';
  readonly spec?: {
    readonly host?: string;
    readonly trafficPolicy?: TrafficPolicy;
    readonly subsets?: readonly {
      readonly name?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly trafficPolicy?: TrafficPolicy;
    }[];
  };
}
