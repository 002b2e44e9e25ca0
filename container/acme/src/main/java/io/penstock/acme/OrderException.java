package io.penstock.acme;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;

/** Thrown if the order of a certificate has failed. The message is one line for operators. */
final class OrderException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The maximum length of the message. Because of this limit, answers of an authority cannot fill the log. */
    private static final int LONGEST = 1000;

    private final transient @Nullable Instant notBefore;

    OrderException(String message) {
        this(message, null, null);
    }

    private OrderException(String message, @Nullable Throwable cause, @Nullable Instant notBefore) {
        super(message, cause);
        this.notBefore = notBefore;
    }

    /** Makes an exception with the error answer of the authority. If the authority sent no answer, the message contains the reason. */
    static OrderException of(AcmeException e) {
        Instant notBefore = e instanceof AcmeRateLimitedException limited
                ? limited.getRetryAfter().orElse(null)
                : null;
        String message = e instanceof AcmeServerException answer ? text(answer.getProblem()) : withCauses(e);
        return new OrderException(message, e, notBefore);
    }

    /** Makes an exception for an answer that is not valid ACME. */
    static OrderException of(RuntimeException e) {
        return new OrderException("the answer of the authority is not ACME: " + withCauses(e), e, null);
    }

    private static String withCauses(Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            // Most exceptions repeat the message of their cause, so each message is added once.
            if (all.indexOf(message) < 0) {
                all.append(all.isEmpty() ? "" : ": ").append(message);
            }
        }
        return oneLine(all.toString());
    }

    /** Returns the detail and the type of a problem document and of all its subproblems (RFC 8555 section 6.7). */
    static String text(Problem problem) {
        StringBuilder text = new StringBuilder();
        text.append(problem.getDetail().or(problem::getTitle).orElse("no detail"));
        text.append(" (").append(problem.getType()).append(')');
        for (Problem part : problem.getSubProblems()) {
            text.append("; ");
            part.getIdentifier().ifPresent(host -> text.append(host.getDomain()).append(": "));
            text.append(text(part));
        }
        return oneLine(text.toString());
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
    }

    /** The earliest time at which the authority allows another order; null if the authority has sent no time. */
    @Nullable
    Instant notBefore() {
        return notBefore;
    }
}
