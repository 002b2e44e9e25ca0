package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.ContentCoding;
import io.penstock.http.EntityTag;
import io.penstock.http.EntityTag.Strength;
import io.penstock.http.Validators;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Makes the validators of a file: the modification time, and an entity tag that consists of the time and the size (RFC 9110 section 8.8).
 */
final class FileValidators {
    /** A file that has changed within this time can change again without a new modification time. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private FileValidators() {}

    /** @param coding the content coding of a compressed sibling; null for the file itself */
    static Validators of(Resource file, @Nullable ContentCoding coding, Instant now) {
        Instant modified = file.modified();
        Strength strength = isSettled(file, now) ? Strength.STRONG : Strength.WEAK;
        String opaque = Long.toHexString(Saturated.millis(modified)) + '-' + Long.toHexString(file.size());
        if (coding != null) {
            // Without the coding, the uncompressed file could have the same tag.
            opaque += '-' + coding.token();
        }
        // A time in the future becomes the present (RFC 9110 section 8.8.2.1).
        return new Validators(new EntityTag(strength, opaque), modified.isAfter(now) ? now : modified);
    }

    /** Whether every later change of the file will cause a new modification time. */
    static boolean isSettled(Resource file, Instant now) {
        return file.modified().plus(FRESH).isBefore(now);
    }
}
