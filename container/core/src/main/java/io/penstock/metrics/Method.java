package io.penstock.metrics;

/**
 * The request methods that the metrics distinguish: those that OpenTelemetry's conventions for HTTP know by default (RFC 9110, PATCH and
 * QUERY). All other methods are counted as {@link #OTHER}.
 */
public enum Method {
    GET,
    HEAD,
    POST,
    PUT,
    DELETE,
    CONNECT,
    OPTIONS,
    TRACE,
    PATCH,
    QUERY,
    OTHER;

    static Method of(String sent) {
        return switch (sent) {
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "POST" -> POST;
            case "PUT" -> PUT;
            case "DELETE" -> DELETE;
            case "CONNECT" -> CONNECT;
            case "OPTIONS" -> OPTIONS;
            case "TRACE" -> TRACE;
            case "PATCH" -> PATCH;
            case "QUERY" -> QUERY;
            default -> OTHER;
        };
    }

    public String label() {
        return this == OTHER ? "_OTHER" : name();
    }
}
