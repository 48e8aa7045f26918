// Imported before the program: its clock does not move, so that each run takes the same picture.
const moment = Date.parse(process.env.DISPATCH_STILL_AT);
Date.now = () => moment;
