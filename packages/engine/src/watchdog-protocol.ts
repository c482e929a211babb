/** What the watchdog is told, in one JSON line. */
export interface WatchdogCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number
}

/** What the watchdog tells, a JSON line each. */
export type WatchdogReport =
  | { readonly server: number }
  | { readonly failed: string }
  | { readonly ended: { readonly code: number | null; readonly signal: string | null } }
