/**
 * The protocol versions that a request asks for (A2A §3.6), each once: those of its `A2A-Version` header, also where that is empty, else
 * those of its query. As Major.Minor, since the patch does not count; what is no version stays as it is. More than one is for the caller to
 * refuse.
 * @param header its values joined by commas, as HTTP joins them; undefined where it was not sent
 * @param query the value of each query parameter of this name
 */
export function requestedVersions(header: string | undefined, query: readonly string[]): readonly string[] {
  const values = (header === undefined ? query : [header]).flatMap((value) => value.split(',')).map((value) => value.trim())
  return [...new Set(values.filter((value) => value !== '').map((value) => /^(\d+\.\d+)(?:\.\d+)?$/.exec(value)?.[1] ?? value))]
}
