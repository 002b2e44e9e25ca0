package io.penstock.experiments.transactions;

/**
 * The result of a call.
 *
 * @param trouble the description of the error; empty if the call was answered
 */
record CallResult(Outcome outcome, String trouble) {
    enum Outcome {
        ANSWERED,
        PAST_DEADLINE,
        FAILED
    }

    static final CallResult ANSWERED = new CallResult(Outcome.ANSWERED, "");
    static final CallResult PAST_DEADLINE = new CallResult(Outcome.PAST_DEADLINE, "no answer before the deadline");

    static CallResult failed(String trouble) {
        return new CallResult(Outcome.FAILED, trouble);
    }

    static CallResult ofStatus(int status) {
        return status >= 200 && status < 300 ? ANSWERED : failed("status " + status);
    }

    boolean isAnswered() {
        return outcome == Outcome.ANSWERED;
    }
}
