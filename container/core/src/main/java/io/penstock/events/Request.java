package io.penstock.events;

import java.net.SocketAddress;
import java.util.Optional;

/**
 * One request with the known parts of its head. Method, target and protocol are empty if the request line could not be parsed.
 *
 * @param connection the name of the connection; the name is unique until the server ends
 * @param number the number of the request on its connection, from 1
 * @param remote the client's address; behind a trusted proxy, the address that the proxy has sent
 * @param method the method as sent
 * @param target the request target as sent, undecoded, with the query; the query can contain secrets
 * @param protocol the protocol, such as {@code HTTP/1.1}
 * @param fields the header fields, as sent
 * @param secure whether the client used TLS; if a trusted proxy has sent the scheme of the request, this scheme decides
 */
public record Request(
        String connection,
        long number,
        SocketAddress remote,
        String method,
        String target,
        String protocol,
        FieldLookup fields,
        boolean secure) {

    /** A request without TLS. */
    public Request(
            String connection,
            long number,
            SocketAddress remote,
            String method,
            String target,
            String protocol,
            FieldLookup fields) {
        this(connection, number, remote, method, target, protocol, fields, false);
    }

    /** Finds header fields by name, regardless of case. */
    @FunctionalInterface
    public interface FieldLookup {

        /** The value of the first field line with this name; empty if there is none. */
        Optional<String> first(String name);
    }

    /** The name of the request in the log. The name is unique until the server ends. */
    public String id() {
        return connection + "-" + number;
    }

    /** The target without its query. */
    public String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** The text after the question mark of the target; empty if there is none. */
    public String query() {
        int query = target.indexOf('?');
        return query < 0 ? "" : target.substring(query + 1);
    }

    /** The name, method and path of the request. */
    @Override
    public String toString() {
        return id() + " " + method + " " + path();
    }
}
