package io.penstock.events;

import java.net.SocketAddress;
import java.util.Optional;

/**
 * One request, as far as its head tells. Method, target and protocol are empty where the request line could not be read.
 *
 * @param connection the connection's name, unique within the server's life
 * @param number which of its connection's requests, from 1
 * @param method as sent
 * @param target as sent, with the query, which may hold secrets; nothing is decoded
 * @param protocol such as {@code HTTP/1.1}
 * @param fields the header fields, as sent
 */
public record Request(
        String connection,
        long number,
        SocketAddress remote,
        String method,
        String target,
        String protocol,
        FieldLookup fields) {

    /** Finds header fields by their names, whose case does not matter. */
    @FunctionalInterface
    public interface FieldLookup {

        /** The value of the first line with that name. */
        Optional<String> first(String name);
    }

    /** The name that the request has in the log: unique within the server's life. */
    public String id() {
        return connection + "-" + number;
    }

    /** The target without its query. */
    public String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** What stands behind the target's question mark; empty where nothing does. */
    public String query() {
        int query = target.indexOf('?');
        return query < 0 ? "" : target.substring(query + 1);
    }

    /** Without the fields: they are looked up, not listed. */
    @Override
    public String toString() {
        return id() + " " + method + " " + path();
    }
}
