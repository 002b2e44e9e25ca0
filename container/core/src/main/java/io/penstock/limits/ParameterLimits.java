package io.penstock.limits;

/**
 * Limits on the values that a worker parses from a request for the application: cookies, query and form parameters, and the parts of a
 * multipart form. {@link MessageLimits} limit the request as it arrives. {@link Key} defines the status for each limit. Values are in bytes
 * unless stated otherwise.
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
