// Imported before the program: its time stands still, so that a picture that is taken again shows the same.
const moment = Date.parse(process.env.DISPATCH_STILL_AT);
Date.now = () => moment;
