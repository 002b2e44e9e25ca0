/** The filters through which each request passes. */
package io.penstock.sample.filter;
