/** The output formats of results: tables, JSON, charts, and sections of Markdown files. Also describes the machine of the measurement. */
@NullMarked
package io.penstock.loadtest.report;

import org.jspecify.annotations.NullMarked;
