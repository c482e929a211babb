/** The oldest Temporal server this package starts: Update-With-Start as the wake needs it. */
export const minimumServer = '1.29.0'

/** The server's version in the output of `temporal --version`, such as `1.29.1`; undefined where it names none. */
export function parseServerVersion(output: string): string | undefined {
  return /\(Server v?(\d+\.\d+\.\d+)/.exec(output)?.[1]
}

/** Compares dotted versions number by number; negative where `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number)
  const right = b.split('.').map(Number)
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
