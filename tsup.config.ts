import { defineConfig } from 'tsup'

/** Entries are given by each package's build script; splitting stays on, so that one class is one class in every entry. */
export default defineConfig({
  format: 'esm',
  target: 'node20',
  clean: true,
  sourcemap: true,
  // TypeScript 6 warns of `baseUrl`, which tsup's declaration bundler sets itself.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
})
