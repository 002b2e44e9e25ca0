package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.ByteRange;
import io.penstock.http.ByteRanges;
import io.penstock.http.ContentCoding;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.HttpDate;
import io.penstock.http.Preconditions;
import io.penstock.http.Validators;
import io.penstock.request.FileTransfer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the response to one request for a file: it checks conditions and ranges, and writes the header fields and the body (RFC 9110
 * sections 13 to 15).
 *
 * <p>Thread: the worker that runs the servlet.
 */
final class FileAnswer {
    private static final List<String> CONDITIONS =
            List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range");

    /**
     * The size of the largest file that is sent in one write, together with the response head. A larger file is sent as a file region: the
     * server sends the bytes directly from the file.
     */
    private static final int SMALL = SmallFiles.LARGEST;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Resource file;
    private final Resource sent;
    private final @Nullable ContentCoding coding;
    private final FileType type;
    private final SmallFiles smallFiles;
    private final Instant now;
    private final Attempt attempt;
    private final int status;

    /**
     * Whether the file is looked up again if it was replaced since its lookup. The last attempt sends the file as it is: it may be one that
     * a program writes to all the time.
     */
    enum Attempt {
        FIRST,
        LAST
    }

    FileAnswer(
            HttpServletRequest request,
            HttpServletResponse response,
            Representation representation,
            FileType type,
            SmallFiles smallFiles,
            Instant now,
            Attempt attempt) {
        this.request = request;
        this.response = response;
        this.file = representation.file();
        this.sent = representation.sent();
        this.coding = representation.coding();
        this.type = type;
        this.smallFiles = smallFiles;
        this.now = now;
        this.attempt = attempt;
        this.status = response.getStatus();
    }

    /** Writes the bytes of the file into the response of the servlet that includes the file. No header fields are written. */
    void include() throws IOException {
        OutputStream stream = streamUnlessText();
        if (stream == null) {
            writeText(response.getWriter());
        } else {
            FileContent.copy(file, FileContent.all(file), stream);
        }
    }

    /**
     * Sends the file as the response.
     *
     * @throws FileContent.Replaced if the file was replaced since its lookup; nothing has been sent. The last attempt does not throw this
     */
    void send() throws IOException {
        declareType();
        if (!isRegion(file.size()) && !isHead() && streamUnlessText() == null) {
            writeText(response.getWriter());
            return;
        }
        if (!isConditional()) {
            sendRange(FileContent.all(sent));
            return;
        }
        Validators current = FileValidators.of(sent, coding, now);
        Fields conditions = conditions();
        response.setHeader("ETag", String.valueOf(current.tag()));
        response.setHeader("Last-Modified", HttpDate.format(Objects.requireNonNull(current.lastModified())));
        switch (Preconditions.evaluate(request.getMethod(), conditions, current)) {
            case NOT_MODIFIED -> sendNotModified();
            case FAILED -> response.sendError(HttpServletResponse.SC_PRECONDITION_FAILED);
            case PROCEED -> sendRanges(conditions, current);
        }
    }

    /** Sends status 304, without the header fields that describe a body. */
    private void sendNotModified() {
        response.setContentType(null);
        response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
    }

    private void sendRanges(Fields conditions, Validators current) throws IOException {
        response.setHeader("Accept-Ranges", "bytes");
        boolean applies = !isHead() && Preconditions.rangeApplies(conditions, current);
        ByteRanges wanted = ByteRanges.parse(applies ? request.getHeader("Range") : null, sent.size());
        switch (wanted.outcome()) {
            case WHOLE -> sendWhole();
            case UNSATISFIABLE -> {
                response.setHeader("Content-Range", "bytes */" + sent.size());
                response.sendError(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
            }
            case PARTIAL -> {
                if (coding != null && wanted.ranges().size() > 1) {
                    // For a compressed sibling, only a single range can be sent. With several ranges, the content
                    // coding would have to apply to the whole multipart body.
                    sendWhole();
                } else {
                    sendPartial(wanted.ranges());
                }
            }
        }
    }

    private void sendWhole() throws IOException {
        declareCoding();
        sendRange(FileContent.all(sent));
    }

    private void declareCoding() {
        if (coding != null) {
            response.setHeader("Content-Encoding", coding.token());
        }
    }

    private void sendPartial(List<ByteRange> ranges) throws IOException {
        response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
        declareCoding();
        if (ranges.size() == 1) {
            response.setHeader("Content-Range", ranges.get(0).contentRange(sent.size()));
            sendRange(ranges.get(0));
            return;
        }
        MultipartRanges parts = new MultipartRanges(sent, ranges, response.getContentType());
        response.setContentType(parts.contentType());
        response.setContentLengthLong(parts.length());
        parts.write(response.getOutputStream());
    }

    private void sendRange(ByteRange range) throws IOException {
        try {
            sendBytes(range);
        } catch (FileContent.Replaced e) {
            // The next attempt begins as this one did.
            response.setStatus(status);
            response.setHeader("Content-Range", null);
            if (coding != null) {
                response.setHeader("Content-Encoding", null);
            }
            throw e;
        }
    }

    private void sendBytes(ByteRange range) throws IOException {
        if (isHead() || range.length() == 0) {
            response.setContentLengthLong(range.length());
        } else if (isRegion(range.length())) {
            // The file is opened before the response head is written. So an error can be sent if the file cannot be
            // opened.
            ((FileTransfer) response).sendFile(opened(), range.first(), range.length());
        } else if (sent.size() <= SMALL) {
            byte[] bytes = attempt == Attempt.FIRST ? smallFiles.read(sent, now) : FileContent.bytes(sent);
            response.setContentLengthLong(range.length());
            response.getOutputStream().write(bytes, (int) range.first(), (int) range.length());
        } else {
            response.setContentLengthLong(range.length());
            FileContent.copy(sent, range, response.getOutputStream());
        }
    }

    private FileChannel opened() throws IOException {
        FileChannel channel = FileChannel.open(sent.file(), StandardOpenOption.READ);
        try {
            if (attempt == Attempt.FIRST) {
                FileContent.requireSame(sent);
            }
        } catch (FileContent.Replaced e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    private boolean isRegion(long length) {
        return length > SMALL
                && sent.kind() == Resource.Kind.FILE
                && response instanceof FileTransfer transfer
                && transfer.canSendFile();
    }

    /**
     * Returns the output stream; null if the application has already called getWriter(). If the result is null, the file must be written as
     * text.
     */
    private @Nullable OutputStream streamUnlessText() throws IOException {
        try {
            return response.getOutputStream();
        } catch (IllegalStateException writerTaken) {
            return null;
        }
    }

    private void writeText(Writer writer) throws IOException {
        FileContent.copy(file, type.charset(file.path()), writer);
    }

    private void declareType() {
        String contentType = response.getContentType() == null ? type.of(file.path()) : null;
        if (contentType != null) {
            response.setContentType(contentType);
        }
    }

    private boolean isHead() {
        return request.getMethod().equals("HEAD");
    }

    /**
     * Whether the conditions and ranges of the request apply. They do not apply to error pages, because the status must not change. They
     * apply only to the methods GET and HEAD; a forward can have other methods.
     */
    private boolean isConditional() {
        return request.getDispatcherType() != DispatcherType.ERROR
                && (isHead() || request.getMethod().equals("GET"));
    }

    private Fields conditions() {
        FieldList fields = new FieldList();
        for (String name : CONDITIONS) {
            for (String value : Collections.list(request.getHeaders(name))) {
                fields.add(name, value);
            }
        }
        return fields;
    }
}
