// Which messages JSON shows as something else than an object of their fields.

export type WellKnownName = 'time' | 'microTime' | 'fieldsV1' | 'intOrString' | 'quantity';

/** By full name. */
export const WELL_KNOWN: Readonly<Record<string, WellKnownName>> = {
  'k8s.io.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime': 'microTime',
  'k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1': 'fieldsV1',
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': 'intOrString',
  'k8s.io.apimachinery.pkg.api.resource.Quantity': 'quantity',
};
