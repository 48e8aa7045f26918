// Imported before the program. It stops the clock, so that each run takes the same picture.
const moment = Date.parse(process.env.DISPATCH_STILL_AT);
Date.now = () => moment;
