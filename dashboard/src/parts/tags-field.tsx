import { TagsInput, type TagsInputProps } from '@mantine/core';

const TAGS_MAX = 20;
const TAG_LENGTH_MAX = 64;

/** Only the gateway validates the characters of a tag. */
export function TagsField(props: Omit<TagsInputProps, 'label'>) {
  return (
    <TagsInput
      label="Tags"
      description={`Up to ${TAGS_MAX} tags of letters, digits and . _ : / -. The limits of a tag count requests with all keys that have the tag.`}
      splitChars={[',', ' ']}
      maxTags={TAGS_MAX}
      maxLength={TAG_LENGTH_MAX}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove all tags' }}
      maw={720}
      {...props}
    />
  );
}
