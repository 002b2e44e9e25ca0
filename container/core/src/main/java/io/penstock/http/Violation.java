package io.penstock.http;

/**
 * A client broke the grammar or a limit: the status to answer and the reason for the log. Without a stack trace, since it is
 * the client's doing and can be provoked at will.
 */
public final class Violation extends Exception {
    private final int status;

    /**
     * @param status 400 to 599
     * @param reason for logs; quotes nothing that the client sent
     */
    public Violation(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
