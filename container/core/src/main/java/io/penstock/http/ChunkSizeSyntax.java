package io.penstock.http;

/**
 * Parses the line before a chunk (RFC 9112 section 7.1.1). The line has the size of the chunk, and may have extensions. Extensions are
 * checked, and then ignored.
 */
final class ChunkSizeSyntax {
    private final byte[] in;
    private final int end;
    private int at;

    private ChunkSizeSyntax(byte[] in, int start, int end) {
        this.in = in;
        this.at = start;
        this.end = end;
    }

    /**
     * Returns the size of the chunk in bytes.
     *
     * @throws Violation 400 if the line is malformed
     */
    static long read(byte[] in, int start, int end) throws Violation {
        ChunkSizeSyntax syntax = new ChunkSizeSyntax(in, start, end);
        long size = syntax.size();
        syntax.extensions();
        return size;
    }

    private long size() throws Violation {
        long size = 0;
        int start = at;
        while (at < end && hex(in[at]) >= 0) {
            if (size >> 59 != 0) {
                throw new Violation(400, "chunk size too large to be counted");
            }
            size = (size << 4) | hex(in[at++]);
        }
        if (at == start) {
            throw new Violation(400, "malformed chunk size");
        }
        return size;
    }

    private void extensions() throws Violation {
        while (at < end) {
            skipBlanks();
            expect(';');
            skipBlanks();
            token();
            int mark = at;
            skipBlanks();
            if (at < end && in[at] == '=') {
                at++;
                skipBlanks();
                if (at < end && in[at] == '"') {
                    quotedString();
                } else {
                    token();
                }
            } else {
                at = mark;
            }
        }
    }

    private void expect(char c) throws Violation {
        if (at == end || in[at] != c) {
            throw new Violation(400, "malformed chunk extension");
        }
        at++;
    }

    private void token() throws Violation {
        int start = at;
        at = FieldSyntax.tokenEnd(in, start, end);
        if (at == start) {
            throw new Violation(400, "malformed chunk extension");
        }
    }

    private void quotedString() throws Violation {
        at++;
        while (at < end && in[at] != '"') {
            if (in[at] == '\\') {
                at++;
            }
            if (at == end || !FieldSyntax.isValueChar(in[at] & 0xFF)) {
                throw new Violation(400, "malformed chunk extension");
            }
            at++;
        }
        expect('"');
    }

    private void skipBlanks() {
        while (at < end && (in[at] == ' ' || in[at] == '\t')) {
            at++;
        }
    }

    private static int hex(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
