package io.penstock.http;

/** The line before a chunk: its size, and extensions that are checked and ignored (RFC 9112 section 7.1.1). */
final class ChunkSizeSyntax {
    private final byte[] in;
    private final int end;
    private int at;

    private ChunkSizeSyntax(byte[] in, int start, int end) {
        this.in = in;
        this.at = start;
        this.end = end;
    }

    /** Returns the chunk's size in bytes; throws 400 for a malformed line. */
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
