package io.penstock.soak;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Compares a response with the expected response while the response is read. Checks each byte. The response must not contain the
 * {@link Token} of another request.
 */
final class ResponseCheck {
    private final SoakRequest errand;
    private final Content.Cursor expected;
    private final Token.Scanner scanner = new Token.Scanner();
    private int status;
    private boolean closes;

    ResponseCheck(SoakRequest errand) {
        this.errand = errand;
        this.expected = errand.answer().cursor();
    }

    int status() {
        return status;
    }

    /** Returns whether the server closes the connection after the response. */
    boolean closes() {
        return closes;
    }

    void head(int newStatus, List<String> fields) {
        status = newStatus;
        closes = ResponseParser.field(fields, "Connection").equalsIgnoreCase("close");
        for (String field : fields) {
            scan(field);
        }
        if (!errand.allows(status)) {
            throw new MixUp(errand + " got an unexpected status: " + status + " " + fields);
        }
        String token = ResponseParser.field(fields, "X-Token");
        if (status == 200 && !token.equals(errand.token())) {
            throw new MixUp(errand + " got a response with a wrong field X-Token: " + token);
        }
    }

    private void scan(String text) {
        for (byte next : (text + "\n").getBytes(StandardCharsets.ISO_8859_1)) {
            scan(next);
        }
    }

    private void scan(byte next) {
        String token = scanner.accept(next);
        if (token != null && !errand.allows(token)) {
            throw new MixUp(
                    errand + ": a response with status " + status + " has a token of another request: " + token);
        }
    }

    void body(byte next) {
        scan(next);
        if (status != 200) {
            return;
        }
        if (expected.isAtEnd()) {
            throw new MixUp(
                    errand + ": the response is longer than " + errand.answer().length() + " bytes");
        }
        long at = expected.position();
        byte wanted = expected.next();
        if (next != wanted) {
            throw new MixUp(errand + ": byte " + at + " of " + errand.answer().length() + " is "
                    + Integer.toHexString(next & 0xff) + " instead of " + Integer.toHexString(wanted & 0xff));
        }
    }

    void end() {
        if (status == 200 && !expected.isAtEnd()) {
            throw new MixUp(errand + ": the response ends after " + expected.position() + " of "
                    + errand.answer().length() + " bytes");
        }
    }
}
