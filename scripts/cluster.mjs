/** `npm run cluster`: apps/cluster, which runs the two others, and with `--test` the tests of replicas. */
import { runApp } from './run-app.mjs'

await runApp('cluster', ['@moorage/test-contract...'])
