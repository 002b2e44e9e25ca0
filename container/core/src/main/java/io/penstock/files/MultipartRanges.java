package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.ByteRange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A response body of the type {@code multipart/byteranges} with several ranges of one file (RFC 9110 section 14.6). */
final class MultipartRanges {
    private final Resource file;
    private final List<ByteRange> ranges;
    private final String boundary;
    private final List<byte[]> heads = new ArrayList<>();
    private final byte[] end;

    /** @param contentType the media type of the file; null if the type is not known */
    MultipartRanges(Resource file, List<ByteRange> ranges, @Nullable String contentType) {
        this.file = file;
        this.ranges = ranges;
        // The boundary is random. So an attacker cannot prepare a file that contains the boundary.
        boundary = "part-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        for (ByteRange range : ranges) {
            heads.add(ascii((heads.isEmpty() ? "" : "\r\n") + "--" + boundary
                    + (contentType == null ? "" : "\r\nContent-Type: " + contentType)
                    + "\r\nContent-Range: " + range.contentRange(file.size()) + "\r\n\r\n"));
        }
        end = ascii("\r\n--" + boundary + "--\r\n");
    }

    String contentType() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /** The length of the whole body in bytes. */
    long length() {
        long length = end.length;
        for (int i = 0; i < ranges.size(); i++) {
            length += heads.get(i).length + ranges.get(i).length();
        }
        return length;
    }

    void write(OutputStream target) throws IOException {
        for (int i = 0; i < ranges.size(); i++) {
            target.write(heads.get(i));
            FileContent.copy(file, ranges.get(i), target);
        }
        target.write(end);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
