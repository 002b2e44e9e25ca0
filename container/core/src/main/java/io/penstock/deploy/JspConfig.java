package io.penstock.deploy;

import jakarta.servlet.descriptor.JspConfigDescriptor;
import jakarta.servlet.descriptor.JspPropertyGroupDescriptor;
import jakarta.servlet.descriptor.TaglibDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSP configuration of the descriptors, for {@code ServletContext.getJspConfigDescriptor}. Immutable. */
record JspConfig(List<Taglib> taglibs, List<PropertyGroup> groups) implements JspConfigDescriptor {

    JspConfig {
        taglibs = List.copyOf(taglibs);
        groups = List.copyOf(groups);
    }

    @Override
    public Collection<TaglibDescriptor> getTaglibs() {
        return new ArrayList<>(taglibs);
    }

    @Override
    public Collection<JspPropertyGroupDescriptor> getJspPropertyGroups() {
        return new ArrayList<>(groups);
    }

    /** An element {@code taglib}. */
    record Taglib(String uri, String location) implements TaglibDescriptor {
        @Override
        public String getTaglibURI() {
            return uri;
        }

        @Override
        public String getTaglibLocation() {
            return location;
        }
    }

    /** An element {@code jsp-property-group}. Properties that the element does not declare are null. */
    record PropertyGroup(
            List<String> patterns,
            @Nullable String elIgnored,
            @Nullable String errorOnElNotFound,
            @Nullable String pageEncoding,
            @Nullable String scriptingInvalid,
            @Nullable String isXml,
            List<String> preludes,
            List<String> codas,
            @Nullable String deferredSyntaxAllowedAsLiteral,
            @Nullable String trimDirectiveWhitespaces,
            @Nullable String defaultContentType,
            @Nullable String buffer,
            @Nullable String errorOnUndeclaredNamespace)
            implements JspPropertyGroupDescriptor {

        PropertyGroup {
            patterns = List.copyOf(patterns);
            preludes = List.copyOf(preludes);
            codas = List.copyOf(codas);
        }

        @Override
        public Collection<String> getUrlPatterns() {
            return new ArrayList<>(patterns);
        }

        @Override
        public @Nullable String getElIgnored() {
            return elIgnored;
        }

        @Override
        public @Nullable String getErrorOnELNotFound() {
            return errorOnElNotFound;
        }

        @Override
        public @Nullable String getPageEncoding() {
            return pageEncoding;
        }

        @Override
        public @Nullable String getScriptingInvalid() {
            return scriptingInvalid;
        }

        @Override
        public @Nullable String getIsXml() {
            return isXml;
        }

        @Override
        public Collection<String> getIncludePreludes() {
            return new ArrayList<>(preludes);
        }

        @Override
        public Collection<String> getIncludeCodas() {
            return new ArrayList<>(codas);
        }

        @Override
        public @Nullable String getDeferredSyntaxAllowedAsLiteral() {
            return deferredSyntaxAllowedAsLiteral;
        }

        @Override
        public @Nullable String getTrimDirectiveWhitespaces() {
            return trimDirectiveWhitespaces;
        }

        @Override
        public @Nullable String getDefaultContentType() {
            return defaultContentType;
        }

        @Override
        public @Nullable String getBuffer() {
            return buffer;
        }

        @Override
        public @Nullable String getErrorOnUndeclaredNamespace() {
            return errorOnUndeclaredNamespace;
        }
    }
}
