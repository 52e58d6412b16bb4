throw new Error('This worker never starts.');
