// What the program knows of itself.

export interface About {
  /** Without a `v`. */
  readonly version: string;
  /** Forty hexadecimal digits, `-dirty` behind them if it was built with changes; null where nothing told the build. */
  readonly commit: string | null;
  /** RFC 3339; that of the commit, so that a build can be repeated. */
  readonly buildDate: string | null;
  /** What runs it: `Bun 1.4.5`, `Node.js 24.22.3`. */
  readonly runtime: string;
  /** Operating system and architecture in kubectl's words: `linux/amd64`. */
  readonly platform: string;
}
