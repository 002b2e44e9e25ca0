package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.ContentCoding;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that are sent for a file (RFC 9110 section 3.2).
 *
 * @param file the file that the client has asked for; its name decides the media type
 * @param sent the file itself, or a compressed sibling
 * @param coding the coding of the sibling; null for the file itself
 */
record Representation(
        Resource file, Resource sent, @Nullable ContentCoding coding) {

    static Representation plain(Resource file) {
        return new Representation(file, file, null);
    }
}
