package io.penstock.http;

/**
 * The status and the fields of a final response. The protocol adds framing and connection fields (Content-Length, Transfer-Encoding,
 * Connection, Date). If {@code fields} has {@code Connection: close}, the protocol closes the connection after the response.
 *
 * @param status 200 to 999, or 101
 * @param contentLength the length of the body in bytes; -1 if it is not known
 */
public record ResponseHead(int status, Fields fields, long contentLength) {}
