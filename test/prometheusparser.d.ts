// What the tests use of a package that comes without types.

declare module 'parse-prometheus-text-format' {
  /** The metric families of a text, in its order. */
  export default function parsePrometheusTextFormat(text: string): readonly object[];
}
