package io.penstock.limits;

/**
 * Bounds on what a worker reads out of a request for the application, in bytes unless said otherwise.
 *
 * @param cookies cookies of one request (a number); beyond it 431
 * @param parameters parameters of one request, query and form together (a number); beyond it 400
 * @param formBytes largest body that is read as form parameters; beyond it 413
 * @param parts parts of one multipart body (a number); beyond it 413
 * @param partHeaderBytes header lines of one part; beyond it 413
 */
public record RequestLimits(int cookies, int parameters, int formBytes, int parts, int partHeaderBytes) {

    public RequestLimits {
        Check.atLeast(Key.MAX_COOKIES, cookies, 1);
        Check.atLeast(Key.MAX_PARAMETERS, parameters, 1);
        Check.atLeast(Key.FORM_LIMIT, formBytes, 0);
        Check.atLeast(Key.MAX_PARTS, parts, 1);
        Check.atLeast(Key.PART_HEADER_LIMIT, partHeaderBytes, 128);
    }

    public static RequestLimits defaults() {
        return of(Configuration.defaults());
    }

    static RequestLimits of(Configuration given) {
        return new RequestLimits(
                given.number(Key.MAX_COOKIES),
                given.number(Key.MAX_PARAMETERS),
                given.bufferBytes(Key.FORM_LIMIT),
                given.number(Key.MAX_PARTS),
                given.bufferBytes(Key.PART_HEADER_LIMIT));
    }
}
