// The shapes of what monitors and CI systems read: metrics and tests.

/** One metric of the Prometheus text format. */
export interface Metric {
  /** Letters, digits and underscores. */
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge';
  readonly samples: Iterable<Sample>;
}

/** Labels in the order they are shown in; those of two samples of a metric differ. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One test of JUnit's XML: passed unless it says otherwise. */
export interface TestCase {
  readonly name: string;
  readonly group: string;
  /** `failure`: what was looked for is wrong; `error`: it could not be looked at; `skipped`: it was not looked at. */
  readonly outcome?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly message: string;
    readonly lines: readonly string[];
  };
  /** What a passed test has to say. */
  readonly output?: readonly string[];
}

export interface TestSuite {
  readonly name: string;
  /** RFC 3339. */
  readonly time: string;
  readonly cases: readonly TestCase[];
}
