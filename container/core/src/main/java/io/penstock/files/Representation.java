package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.ContentCoding;
import org.jspecify.annotations.Nullable;

/**
 * The representation of a file that the server sends: the file itself or a compressed sibling (RFC 9110 section 3.2).
 *
 * @param file the file that the client has requested. Its name determines the media type
 * @param sent the file itself, or a compressed sibling
 * @param coding the content coding of the sibling; null if {@code sent} is the file itself
 */
record Representation(
        Resource file, Resource sent, @Nullable ContentCoding coding) {

    static Representation plain(Resource file) {
        return new Representation(file, file, null);
    }
}
