package io.penstock.limits;

/**
 * Limits on the values that a worker parses from a request for the application: cookies, query and form parameters, and the parts of a
 * multipart form. {@link MessageLimits} limit the request as it arrives. {@link Key} defines the status for each limit. Values are in bytes
 * unless stated otherwise.
 *
 * @param cookies the most cookies of one request (a number)
 * @param sessionCookies the most session cookies of one request that are looked up (a number)
 * @param parameters the most parameters of one request, query and form together (a number)
 * @param formBytes the largest body that is read as form parameters
 * @param parts the most parts of one multipart body (a number)
 * @param partHeaderBytes the most bytes of all header lines of one part
 * @param multipartHeaderBytes the most bytes of the header lines of all parts of one multipart body
 * @param budget the most bytes of heap for the parsed values of all requests of the server together
 */
public record ParameterLimits(
        int cookies,
        int sessionCookies,
        int parameters,
        int formBytes,
        int parts,
        int partHeaderBytes,
        int multipartHeaderBytes,
        long budget) {

    public ParameterLimits {
        Check.atLeast(Key.MAX_COOKIES, cookies, 1);
        Check.atLeast(Key.MAX_SESSION_COOKIES, sessionCookies, 1);
        Check.atLeast(Key.MAX_PARAMETERS, parameters, 1);
        Check.atLeast(Key.FORM_LIMIT, formBytes, 0);
        Check.atLeast(Key.MAX_PARTS, parts, 1);
        Check.atLeast(Key.PART_HEADER_LIMIT, partHeaderBytes, 128);
        Check.atLeast(Key.MULTIPART_HEADER_LIMIT, multipartHeaderBytes, 128);
        Check.atLeast(Key.PARSED_BUDGET, budget, 64 << 10);
    }

    public static ParameterLimits defaults() {
        return of(Configuration.defaults());
    }

    static ParameterLimits of(Configuration given) {
        return new ParameterLimits(
                given.number(Key.MAX_COOKIES),
                given.number(Key.MAX_SESSION_COOKIES),
                given.number(Key.MAX_PARAMETERS),
                given.bufferBytes(Key.FORM_LIMIT),
                given.number(Key.MAX_PARTS),
                given.bufferBytes(Key.PART_HEADER_LIMIT),
                given.bufferBytes(Key.MULTIPART_HEADER_LIMIT),
                given.bytes(Key.PARSED_BUDGET));
    }
}
