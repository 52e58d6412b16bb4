import fc from 'fast-check';

// Where a change is judged, it is judged by the same cases each time; everywhere else each run looks at new ones.
if (process.env.CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_130 });
