import type { AgentCardJson } from '@moorage/protocol'

/**
 * A sentence for each URL among the card's interfaces that is not under the base URL: a card that lists its own interfaces takes nothing from a base
 * URL, and a base URL that somebody configured would be without effect in silence. Empty where the two agree.
 * @param baseUrl as given to `buildAgentCard`
 */
export function baseUrlWarnings(card: AgentCardJson, baseUrl: string): readonly string[] {
  const base = withSlash(baseUrl)
  const fields = new Map<string, string[]>()
  for (const [index, { url }] of card.supportedInterfaces.entries()) {
    if (!withSlash(url).startsWith(base)) fields.set(url, [...(fields.get(url) ?? []), `supportedInterfaces[${index}].url`])
  }
  return [...fields].map(
    ([url, names]) =>
      `The card says that clients find it at ${url} (${names.join(', ')}), which is not under the base URL ${baseUrl}, and the card's word holds; correct one of them, or leave supportedInterfaces out of the card to have it made from the base URL.`,
  )
}

/** In the form that URL gives it: `http://Host:80` is `http://host/`. */
function withSlash(url: string): string {
  return new URL(url).href.replace(/\/?$/, '/')
}
