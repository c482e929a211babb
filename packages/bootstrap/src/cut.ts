/** The text, or its first `most` characters and how many more it had. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} characters more)`
}
