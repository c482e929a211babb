/** Shorter ones would be found in texts that mean something else. */
export const SHORTEST_SECRET = 6

/** The forms in which a secret that is known by its text may be in another one. */
export function formsOf(secret: string): readonly string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret))
  const base64 = btoa(bytes).replace(/=+$/, '')
  const forms = [
    secret,
    secret.trim(),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ]
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET)
}

/** Finds any of the forms; undefined where there are none. Longer ones first, since one may be a part of another. */
export function patternOf(forms: readonly string[]): RegExp | undefined {
  if (forms.length === 0) return undefined
  const sorted = [...forms].sort((a, b) => b.length - a.length)
  return new RegExp(sorted.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join('|'), 'g')
}
