package io.penstock.http;

/**
 * Status and fields of a final response. The protocol adds framing and connection fields (Content-Length, Transfer-Encoding, Connection,
 * Date). If {@code fields} has {@code Connection: close}, the protocol obeys it.
 *
 * @param status 200 to 999, or 101
 * @param contentLength length of the body in bytes if it is known, else -1
 */
public record ResponseHead(int status, Fields fields, long contentLength) {}
