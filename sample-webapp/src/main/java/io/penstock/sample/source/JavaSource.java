package io.penstock.sample.source;

import io.penstock.sample.page.Html;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts Java source to markup. Comments, strings, annotations and keywords are highlighted. */
final class JavaSource {
    private static final Pattern TOKEN = Pattern.compile("""
            (?<comment>/\\*.*?\\*/|//[^\\n]*)\
            |(?<string>\"""(?:[^"\\\\]|\\\\.|"(?!""))*+\"""|"(?:[^"\\\\]|\\\\.)*+"|'(?:[^'\\\\]|\\\\.)*+')\
            |(?<annotation>@[A-Za-z]+)\
            |(?<keyword>\\b(?:abstract|boolean|byte|case|catch|char|class|default|do|double|else|enum|extends|final|\
            finally|float|for|if|implements|import|instanceof|int|interface|long|new|null|package|private|protected|\
            public|record|return|short|static|super|switch|synchronized|this|throw|throws|true|false|try|var|void|\
            volatile|while)\\b)""", Pattern.DOTALL);
    private static final String[] KINDS = {"comment", "string", "annotation", "keyword"};

    private JavaSource() {}

    static Html highlight(String source) {
        StringBuilder markup = new StringBuilder();
        Matcher token = TOKEN.matcher(source);
        int end = 0;
        while (token.find()) {
            markup.append(text(source.substring(end, token.start())));
            markup.append(Html.of("<span class=\"%s\">%s</span>", kind(token), token.group())
                    .markup());
            end = token.end();
        }
        markup.append(text(source.substring(end)));
        return new Html(markup.toString());
    }

    private static String kind(Matcher token) {
        for (String kind : KINDS) {
            if (token.group(kind) != null) {
                return kind;
            }
        }
        throw new IllegalStateException("A token of no kind: " + token.group());
    }

    private static String text(String plain) {
        return Html.of("%s", plain).markup();
    }
}
